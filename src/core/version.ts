// scripts/build.ts sets these; they are missing when the source runs without a build.
declare const BUILD_VERSION: string | undefined;
declare const BUILD_COMMIT: string | undefined;

const number = typeof BUILD_VERSION === "string" ? BUILD_VERSION : "0.0.0-source";
const commit = typeof BUILD_COMMIT === "string" ? BUILD_COMMIT : "unbuilt";

export const version = `${number} (${commit})`;
