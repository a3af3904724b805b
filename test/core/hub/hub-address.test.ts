import { describe, expect, test } from "bun:test";
import { parseHubAddress } from "../../../src/core/hub/hub-address.ts";

describe("the address of a hub", () => {
  const accepted: [url: string, tls: "off" | "verify", shown: string][] = [
    ["postgres://me@127.0.0.1:5433/work", "off", "postgres://me@127.0.0.1:5433/work"],
    ["postgresql://me@localhost/work", "off", "postgres://me@localhost/work"],
    ["postgres://me@[::1]/work", "off", "postgres://me@[::1]/work"],
    ["postgres://me@localhost/work?host=/run/postgresql", "off", "postgres://me@/run/postgresql/work"],
    ["postgres://me:secret@db.example.org/work", "verify", "postgres://me@db.example.org/work"],
    ["postgres://me@db.example.org/work?sslmode=require", "verify", "postgres://me@db.example.org/work"],
    ["postgres://me@127.0.0.1/work?sslmode=verify-full", "verify", "postgres://me@127.0.0.1/work"],
    // A name that only starts like loopback is another host.
    ["postgres://me@127.0.0.1.example.org/work", "verify", "postgres://me@127.0.0.1.example.org/work"],
    ["postgres://me@localhost.example.org/work", "verify", "postgres://me@localhost.example.org/work"],
  ];
  test.each(accepted)("%s has TLS %s", (url, tls, shown) => {
    expect(parseHubAddress(url)).toMatchObject({ tls, shown });
  });

  const refused: [url: string, why: RegExp][] = [
    ["mysql://me@host/work", /postgres:\/\//],
    ["postgres://me@host", /no database/],
    ["postgres://me@db.example.org/work?sslmode=disable", /unprotected/],
    ["postgres://me@db.example.org/work?sslmode=prefer", /unprotected/],
    ["postgres://me@db.example.org/work?sslmode=maybe", /unknown/],
  ];
  test.each(refused)("%s is refused", (url, why) => {
    expect(parseHubAddress(url)).toEqual({ problem: expect.stringMatching(why) });
  });

  test("never shows a password, wherever the address has it", () => {
    for (const url of ["postgres://me:hunter2@h/d", "postgres://me@h/d?password=hunter2"]) {
      expect(parseHubAddress(url)).toMatchObject({ hasPassword: true, shown: "postgres://me@h/d" });
    }
  });
});
