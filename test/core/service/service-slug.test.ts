import { expect, test } from "bun:test";
import fc from "fast-check";
import { isServiceSlug, serviceSlug } from "../../../src/core/service/service-slug.ts";
import { textHash } from "../../../src/io/files/text-hash.ts";

const slug = (path: string): string => serviceSlug(path, textHash);

test("the slug contains the readable last part of the path", () => {
  expect(slug("/home/me/My Shop!")).toMatch(/^my-shop-[0-9a-f]{10}$/);
  expect(slug("C:\\work\\api\\")).toMatch(/^api-[0-9a-f]{10}$/);
  expect(slug("/")).toMatch(/^workspace-/);
  expect(slug("/home/日本")).toMatch(/^workspace-/);
});

test("paths with the same last part get different slugs", () => {
  expect(slug("/a/shop")).not.toBe(slug("/b/shop"));
  expect(slug("/a/shop!")).not.toBe(slug("/a/shop"));
});

test("for any path the slug is valid and unique", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, other) => {
      expect(isServiceSlug(slug(`/${one}`))).toBe(true);
      if (one !== other) expect(slug(`/${one}`)).not.toBe(slug(`/${other}`));
    }),
  );
});
