/** What people write to the applications of a made-up company, and what models answer. */
import type { Model } from "./models";
import type { Conversation } from "./programs";
import type { Random } from "./random";

/** Values for the names in braces. A conversation has one value for each name. */
const values: Record<string, readonly string[]> = {
  order: ["48-20817", "48-20954", "48-21330", "47-99102", "48-20071", "48-23415"],
  name: ["Maria", "Jonas", "Aisha", "Chen", "Olivia", "Mateusz", "Priya", "Luca"],
  city: ["Lyon", "Hamburg", "Toronto", "Osaka", "Austin", "Porto"],
  company: ["Nordlicht GmbH", "Harbour & Sons", "Acme Robotics", "Baird Logistics", "Kitano Foods", "Ostara Health"],
  product: ["standing desk", "espresso machine", "noise-cancelling headset", "road bike", "robot vacuum"],
  amount: ["129.90", "1,480.00", "86.25", "2,310.40", "412.00"],
};

/** @param sets conversations by the category of the model */
function texts(sets: Partial<Record<string, readonly (readonly [prompt: string, completion?: string])[]>>) {
  return ({ category }: Model, random: Random): Conversation => {
    const set = sets[category];
    if (!set) throw new Error(`No texts for the category ${category}`);
    const [prompt, completion] = random.pick(set);
    const chosen = Object.fromEntries(Object.entries(values).map(([name, list]) => [name, random.pick(list)]));
    const fill = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => chosen[name] ?? whole);
    return { prompt: fill(prompt), ...(completion === undefined ? {} : { completion: fill(completion) }) };
  };
}

export const supportTexts = texts({
  Chat: [
    ["Where is my order {order}? It was due yesterday.", "I am sorry, {name}. It is in {city} and arrives tomorrow before noon."],
    ["I was charged twice for one {product}. Please refund {amount} EUR.", "One was a reservation only: you were charged once."],
    ["Meine Rechnung zu {order} hat keine USt-ID.", "Bitte nennen Sie mir die USt-ID Ihrer Firma. Sie erhalten sie innerhalb eines Tages."],
    ['Classify as JSON: "Order {order} is still missing!"', '{"intent": "missing_parcel", "urgency": 4, "order": "{order}"}'],
  ],
  Embeddings: [["order {order} not delivered {city}"], ["return policy {product}"], ["charged twice, refund"]],
});

export const documentTexts = texts({
  Chat: [
    ["Summarize the incident of {city}.", "- A certificate of the payment gateway expired at 02:14 UTC.\n- No orders were lost."],
    ["Who owns `catalog-sync`, and where is its runbook?", "The team *Catalog*. Its runbook is docs/runbook.md in the repository."],
  ],
  Embeddings: [["vpn profile {city}"], ["incident {city} certificate"], ["travel expenses approval limit"]],
});

export const salesTexts = texts({
  Chat: [
    [
      "Draft a follow-up to {name} at {company}.",
      "Hi {name},\n\nthank you for your time. Would Thursday at 10:00 suit you?\n\nBest regards",
    ],
    [
      "Turn into JSON: call with {name}, {company}; budget {amount} k.",
      '{"contact": "{name}", "account": "{company}", "budget": "{amount}"}',
    ],
  ],
  Embeddings: [["{company} renewal risks"], ["single sign-on objections"], ["pilot proposal {company}"]],
  Image: [["A flat illustration of a warehouse in {city} at sunrise, no text"], ["Photo of a {product} on a light wooden table"]],
});

export const invoiceTexts = texts({
  Chat: [
    [
      "Extract as JSON: {company}\nInvoice {order}\nSubtotal {amount}\nVAT 19 %",
      '{"supplier": "{company}", "net": "{amount}", "vat_rate": 0.19}',
    ],
    ["Does the invoice of {company} match order {order}?", "Yes. The payment term differs: 14 days on the invoice, 30 in the contract."],
    ["Gib die Positionen als Tabelle zurück.", "| Artikel | Menge | Betrag |\n|---|---|---|\n| {product} | 2 | {amount} EUR |"],
  ],
});
