import { expect, test } from "bun:test";
import fc from "fast-check";
import { isServiceSlug, serviceSlug } from "../../src/core/service-slug.ts";
import { textHash } from "../../src/io/text-hash.ts";

const slug = (path: string): string => serviceSlug(path, textHash);

test("a name that people recognise", () => {
  expect(slug("/home/me/My Shop!")).toMatch(/^my-shop-[0-9a-f]{10}$/);
  expect(slug("C:\\work\\api\\")).toMatch(/^api-[0-9a-f]{10}$/);
  expect(slug("/")).toMatch(/^workspace-/);
  expect(slug("/home/日本")).toMatch(/^workspace-/);
});

test("equal last names do not share a service", () => {
  expect(slug("/a/shop")).not.toBe(slug("/b/shop"));
  expect(slug("/a/shop!")).not.toBe(slug("/a/shop"));
});

test("whatever the path: the slug is safe everywhere, and one path's alone", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, other) => {
      expect(isServiceSlug(slug(`/${one}`))).toBe(true);
      if (one !== other) expect(slug(`/${one}`)).not.toBe(slug(`/${other}`));
    }),
  );
});
