"use strict";
// The form that makes a campaign from a file of items, one row of JSON a line. Many items are sent in parts.

const PART_CHARS = 400_000; // of JSON in one request; the service takes two megabytes

const create = byId("create");

/** The rows of a file; throws with the number of a line that is none. */
function rowsOf(text) {
  return text.split("\n").flatMap((line, index) => {
    if (!line.trim()) return [];
    try {
      return [JSON.parse(line)];
    } catch (error) {
      throw new Error(say("bad line", { number: index + 1, reason: error.message }));
    }
  });
}

/** Rows in parts that are small enough for a request. */
function partsOf(rows) {
  const parts = [[]];
  let size = 0;
  for (const row of rows) {
    size += JSON.stringify(row).length;
    if (size > PART_CHARS && parts.at(-1).length) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1).push(row);
  }
  return parts;
}

async function postOwned(path, body) {
  const key = sessionStorage.getItem(KEPT_KEY);
  const headers = { "content-type": "application/json", ...(key ? { authorization: `Bearer ${key}` } : {}) };
  const answer = await fetch(`${document.body.dataset.root}/v1/campaigns${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await reasonOf(answer));
  return answer.json();
}

async function makeCampaign(event) {
  event.preventDefault();
  const told = create.querySelector("[role='status']");
  const fields = Object.fromEntries(new FormData(create));
  told.textContent = say("sending");
  try {
    const [first, ...rest] = partsOf(rowsOf(await create.querySelector("[type='file']").files[0].text()));
    const rules = { overlap: Number(fields.overlap), pay: Number(fields.pay || 0) };
    const made = await postOwned("", { title: fields.title, kind: fields.kind, language: fields.language, guide: fields.guide, rules, items: first });
    const place = `/${encodeURIComponent(made.id)}`;
    for (const items of rest) await postOwned(`${place}/items`, { items });
    location.assign(`${document.body.dataset.root}/annotate${place}`);
  } catch (error) {
    told.textContent = error.message;
  }
}

const suggestOverlap = () => { create.elements.overlap.value = create.elements.kind.selectedOptions[0].dataset.overlap; };
create.elements.kind.addEventListener("change", suggestOverlap);
suggestOverlap();
create.addEventListener("submit", makeCampaign);
