/** A program that shows a notification on the desktop. */
export interface DesktopCommand {
  readonly words: readonly [string, ...string[]];
  /** Added to its environment. */
  readonly variables: Readonly<Record<string, string>>;
}

export type DesktopSystem = "linux" | "darwin" | "windows";

/** The texts never become part of a script: they may contain anything. */
export function desktopCommand(system: DesktopSystem, title: string, text: string): DesktopCommand {
  switch (system) {
    case "linux":
      // The body may contain markup; the title may not.
      return { words: ["notify-send", "--app-name=ai-runtime", "--", title, escapeMarkup(text)], variables: {} };
    case "darwin":
      return {
        words: ["osascript", ...appleScript.flatMap((line) => ["-e", line]), title, text],
        variables: {},
      };
    case "windows":
      return {
        words: ["powershell", "-NoProfile", "-NonInteractive", "-Command", toastScript],
        variables: { AI_RUNTIME_NOTIFY_TITLE: title, AI_RUNTIME_NOTIFY_TEXT: text },
      };
  }
}

const escapeMarkup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const appleScript = [
  "on run argv",
  "display notification (item 2 of argv) with title (item 1 of argv)",
  "end run",
] as const;

const toastScript = [
  "$manager = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]",
  "$template = $manager::GetTemplateContent([Windows.UI.Notifications.ToastTemplateType]::ToastText02)",
  "$texts = $template.GetElementsByTagName('text')",
  "$null = $texts.Item(0).AppendChild($template.CreateTextNode($env:AI_RUNTIME_NOTIFY_TITLE))",
  "$null = $texts.Item(1).AppendChild($template.CreateTextNode($env:AI_RUNTIME_NOTIFY_TEXT))",
  "$toast = [Windows.UI.Notifications.ToastNotification]::new($template)",
  "$manager::CreateToastNotifier('ai-runtime').Show($toast)",
].join("; ");
