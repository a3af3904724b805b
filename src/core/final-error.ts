/** What the end of a conversation says about why it ended; the text itself is never kept, only what it means. */
export type FinalError =
  /** `resetsAt` in milliseconds since 1970, when it is known. */
  | { readonly kind: "limit"; readonly resetsAt: number | undefined }
  /** `maximum`: the tokens that would have been accepted, when the answer said so. */
  | { readonly kind: "too-long"; readonly maximum: number | undefined }
  | { readonly kind: "server" }
  | { readonly kind: "authentication" }
  | { readonly kind: "billing" }
  | { readonly kind: "other" };
