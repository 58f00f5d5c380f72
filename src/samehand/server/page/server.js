// Requests to the server, and files that it makes.

import { element } from "./element.js";

// What the server may ask for; an address keeps what is behind its # to the browser.
const token = new URLSearchParams(location.hash.slice(1)).get("token");

// What the server answers, JSON or text; what is wrong is thrown as one sentence.
export async function ask(address, body) {
  let response;
  try {
    response = await fetch(address, {
      method: body === undefined ? "GET" : "POST",
      body,
      headers: {
        ...(typeof body === "string" && { "content-type": "application/json" }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
    });
  } catch {
    throw new Error("The server does not answer; is samehand serve still running?");
  }
  const answer = parsed(await response.text().catch(() => ""));
  if (!response.ok) throw new Error(answer.detail ?? `The server answered ${response.status}.`);
  return answer;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const post = (address, question) => ask(address, JSON.stringify(question));

export function save(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

// Links to other pages of this server take its token along.
for (const link of document.querySelectorAll("nav a")) link.hash = location.hash;
