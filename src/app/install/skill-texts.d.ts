// The executable contains the plugin's skills as text.
declare module "*SKILL.md" {
  const text: string;
  export default text;
}
