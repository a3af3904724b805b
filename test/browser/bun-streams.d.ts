// The types of the browser hide what Bun adds to streams.
interface ReadableStream {
  text(): Promise<string>;
}
