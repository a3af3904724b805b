/** What a limit counts when it is not the usage of the whole plan: the usage of one model, or money. */
export type SpecialLimit = "model" | "spend";

/** A limit without an error at the end: the client told Claude to wrap up near it, or only a subagent reached it. */
export type QuietLimit = "wrap-up" | "subagent";

/** What the error at the end of a conversation means. Its text is not kept. */
export type FinalError =
  /** `resetsAt` in milliseconds since 1970; undefined when unknown. */
  | {
      readonly kind: "limit";
      readonly resetsAt: number | undefined;
      readonly of?: SpecialLimit;
      readonly behind?: QuietLimit;
    }
  /** `maximum`: the tokens that the API accepts; undefined when unknown. */
  | { readonly kind: "too-long"; readonly maximum: number | undefined }
  | { readonly kind: "server" }
  /** The login or the API key is not accepted. */
  | { readonly kind: "authentication" }
  /** The login is accepted, but the account or its organization may not do this. */
  | { readonly kind: "permission" }
  | { readonly kind: "billing" }
  | { readonly kind: "other" };
