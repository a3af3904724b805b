// Sends one answer: complete, cut off in the middle, or held open.
import type { ServerResponse } from "node:http";
import { errorBody, messageBody, messageStream, type WireMessage } from "./sse.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import type { Answer } from "./replies.ts";

type Message = Extract<Answer, { readonly kind: "message" }>;

export async function playAnswer(
  response: ServerResponse,
  request: RecordedRequest,
  answer: Answer,
  { number, resolution }: { readonly number: number; readonly resolution: Promise<"release" | "drop"> },
): Promise<void> {
  const headers = { ...answer.headers, "request-id": `req_fake_${number}` };
  if (answer.kind === "failure") {
    sendJson(response, answer.status, errorBody(answer.type, answer.message), headers);
    return;
  }
  const { beforeCut, afterCut } = wireParts(request, answer, number);
  const type = request.body.stream === true ? "text/event-stream" : "application/json";
  response.writeHead(200, { ...headers, "content-type": type });
  if (answer.ending === "complete") {
    response.end(beforeCut + afterCut);
    return;
  }
  await write(response, beforeCut);
  const how = answer.ending === "drops" ? "drop" : await Promise.race([resolution, request.ended]);
  if (how === "release") response.end(afterCut);
  if (how !== "drop") return;
  request.end("cut");
  response.socket?.destroy();
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...headers, "content-type": "application/json" }).end(body);
}

function wireParts(request: RecordedRequest, { blocks, usage, stopReason }: Message, number: number) {
  const id = `msg_fake_${String(number).padStart(6, "0")}`;
  const message: WireMessage = { id, model: request.body.model ?? "claude-fake", blocks, usage, stopReason };
  if (request.body.stream !== true) {
    const body = messageBody(message);
    return { beforeCut: body.slice(0, body.length / 2), afterCut: body.slice(body.length / 2) };
  }
  const { beforeCut, afterCut } = messageStream(message);
  return { beforeCut: beforeCut.join(""), afterCut: afterCut.join("") };
}

// The kernel must have the bytes before the socket is destroyed, or the client would not receive them.
async function write(response: ServerResponse, text: string): Promise<void> {
  if (text === "") response.flushHeaders();
  else await new Promise((resolve) => response.write(text, resolve));
  await new Promise((resolve) => setImmediate(resolve));
}
