import { expect, test } from "bun:test";
import { mapProject, normalizeRemote, projectTags } from "../../../src/core/hub/map-project.ts";

test.each([
  ["git@Host.example:me/cart.git", "host.example/me/cart"],
  ["ssh://git@host.example:2222/me/cart.git", "host.example/me/cart"],
  ["https://host.example/me/cart/", "host.example/me/cart"],
  ["https://token@host.example/me/cart.git", "host.example/me/cart"],
  ["host.example:me/cart", "host.example/me/cart"],
  ["/srv/git/cart.git", null],
  ["", null],
])("the remote %s is %p", (address, normalized) => {
  expect(normalizeRemote(address)).toBe(normalized);
});

const origin = { remote: "host/me/cart", root: "/home/a/cart", inside: "web" };

test("a session continues in the checkout of the same remote, in the same directory inside of it", () => {
  const here = { remote: "host/me/cart", root: "/work/cart", inside: "" };
  const other = { remote: "host/me/shop", root: "/home/a/cart", inside: "" };
  expect(mapProject(origin, [other, here])).toBe("/work/cart/web");
  expect(mapProject({ ...origin, inside: "" }, [here])).toBe("/work/cart");
  expect(mapProject(origin, [other])).toBeUndefined();
});

test("without a remote only the same path is the same project", () => {
  const local = { remote: null, root: "/home/a/notes", inside: "" };
  expect(mapProject(local, [{ ...local, root: "/home/b/notes" }])).toBeUndefined();
  expect(mapProject(local, [{ ...local, remote: "host/me/notes" }])).toBeUndefined();
  expect(mapProject(local, [local])).toBe("/home/a/notes");
  expect(projectTags(local)).toEqual(["directory:/home/a/notes"]);
});
