import { Failure } from "../../core/failure.ts";
import { type HubConfig, isHubConfig } from "../../core/hub/hub-config.ts";
import { exposedMode } from "../../io/files/exposed-mode.ts";
import { readHubConfig } from "../../store/hub/hub-files.ts";
import type { Environment } from "../environment.ts";

/** These override the file, for containers that get their secrets from the environment. */
export const hubUrlVariable = "AI_RUNTIME_HUB_URL";
export const hubKeyVariable = "AI_RUNTIME_HUB_KEY";

/** Undefined without a hub: then nothing of the hub is loaded. */
export function findHubConfig({ paths, variables }: Environment): HubConfig | undefined {
  const config = readHubConfig(paths);
  if (config === undefined) return undefined;
  if (config === "damaged") {
    throw new Failure("failed", `${paths.hubConfig} is not a configuration of a hub`, {
      hint: "Remove it, then run ai-runtime hub join.",
    });
  }
  const exposed = exposedMode(paths.hubConfig);
  if (exposed !== undefined) {
    throw new Failure("failed", `other users can read ${paths.hubConfig}, which holds the key of the hub`, {
      hint: `Run chmod 600 ${paths.hubConfig}.`,
    });
  }
  const given = {
    ...config,
    url: variables[hubUrlVariable] || config.url,
    key: variables[hubKeyVariable] || config.key,
  };
  if (isHubConfig(given)) return given;
  throw new Failure("usage", `${hubKeyVariable} is not a key of a hub`);
}

export function requireHubConfig(environment: Environment): HubConfig {
  const config = findHubConfig(environment);
  if (config) return config;
  throw new Failure("not-found", "this machine has no hub", {
    hint: "Run ai-runtime hub init postgres://user@host/database, or ai-runtime hub join.",
  });
}
