// The executable contains the scripts of shims/ as text.
declare module "*shims/cclaude" {
  const text: string;
  export default text;
}
declare module "*shims/session-snapshot" {
  const text: string;
  export default text;
}
declare module "*.cmd" {
  const text: string;
  export default text;
}
declare module "*.ps1" {
  const text: string;
  export default text;
}
