// A full-screen program like vim or htop: it uses the alternate screen, colors, box drawing, mouse and keys.
const { stdin, stdout } = process;
let typed = "";
const draw = (): void => {
  const { columns, rows } = stdout;
  const line = (y: number, text: string): string => `\x1b[${y};1H\x1b[K${text}`;
  stdout.write(
    [
      "\x1b[?25l",
      line(1, `\x1b[1;37;44m${` ${columns} by ${rows} `.padEnd(columns)}\x1b[0m`),
      line(2, "┌──────────┐ \x1b[38;5;208morange\x1b[0m \x1b[48;2;40;90;40mtrue color\x1b[0m"),
      line(3, "│ 你好 😀 \x1b[4mé\x1b[0m │ \x1b[7mreverse\x1b[0m \x1b[2mdim\x1b[0m"),
      line(4, "└──────────┘"),
      line(rows, `\x1b[32mtyped:\x1b[0m ${typed.slice(-55)}.`),
      "\x1b[?25h",
    ].join(""),
  );
};

stdout.write("\x1b[?1049h\x1b[2J\x1b[?1h\x1b=\x1b[?1002h\x1b[?1006h\x1b[?2004h\x1b]2;full screen\x07");
stdin.setRawMode(true);
stdout.on("resize", () => {
  stdout.write("\x1b[2J");
  draw();
});
stdin.on("data", (bytes: Buffer) => {
  if (bytes.toString() === "q") {
    stdout.write("\x1b[?2004l\x1b[?1006l\x1b[?1002l\x1b[?1l\x1b>\x1b[?1049l", () => process.exit(3));
    return;
  }
  typed += JSON.stringify(bytes.toString()).slice(1, -1);
  draw();
});
draw();
