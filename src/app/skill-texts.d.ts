// The plugin's skills are built into the executable as text.
declare module "*SKILL.md" {
  const text: string;
  export default text;
}
