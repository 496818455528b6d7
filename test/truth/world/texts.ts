/** What people write to the applications of a made-up company, and what models answer. */
import type { Model } from "./models";
import type { Conversation } from "./programs";
import type { Random } from "./random";

/** Conversations by the category of the model. */
type Texts = Partial<Record<string, readonly Conversation[]>>;

/** Values for the names in braces. A conversation has one value for each name. */
const values: Record<string, readonly string[]> = {
  order: ["48-20817", "48-20954", "48-21330", "47-99102", "48-20071", "48-23415"],
  name: ["Maria", "Jonas", "Aisha", "Chen", "Olivia", "Mateusz", "Priya", "Luca"],
  city: ["Lyon", "Hamburg", "Toronto", "Osaka", "Austin", "Porto"],
  company: ["Nordlicht GmbH", "Harbour & Sons", "Acme Robotics", "Baird Logistics", "Kitano Foods", "Ostara Health"],
  product: ["standing desk", "espresso machine", "noise-cancelling headset", "road bike", "robot vacuum"],
  amount: ["129.90", "1,480.00", "86.25", "2,310.40", "412.00"],
  number: ["2041", "2077", "2113", "2150", "2168"],
};

function texts(sets: Texts) {
  return ({ category }: Model, random: Random): Conversation => {
    const set = sets[category];
    if (!set) throw new Error(`No texts for the category ${category}`);
    const { prompt, completion } = random.pick(set);
    const chosen = Object.fromEntries(Object.entries(values).map(([name, list]) => [name, random.pick(list)]));
    const fill = (text: string) => text.replace(/\{(\w+)\}/g, (whole, name: string) => chosen[name] ?? whole);
    return { prompt: fill(prompt), ...(completion === undefined ? {} : { completion: fill(completion) }) };
  };
}

const inputs = (...prompts: string[]): Conversation[] => prompts.map((prompt) => ({ prompt }));

export const supportTexts = texts({
  Chat: [
    {
      prompt: "Where is my order {order}? It was supposed to arrive in {city} yesterday.",
      completion:
        "I am sorry about the delay, {name}. Order {order} left our warehouse yesterday and is now in {city}. The carrier expects to deliver it tomorrow before noon.",
    },
    {
      prompt: "I was charged twice for the same {product}. Please refund {amount} EUR.",
      completion:
        "I can see two authorisations of {amount} EUR. One of them was only a reservation, and your bank releases it within three days. You were charged once.",
    },
    {
      prompt: "Meine Rechnung zu Bestellung {order} hat keine Umsatzsteuernummer. Können Sie sie neu ausstellen?",
      completion:
        "Gern. Bitte nennen Sie mir die Umsatzsteuer-ID Ihrer Firma. Sie erhalten die korrigierte Rechnung innerhalb eines Tages per E-Mail.",
    },
    {
      prompt:
        'Classify the message. Reply with JSON only: {"intent": …, "urgency": 1–5, "language": …}\n\nMessage: "This is the third time that I write. Order {order} is still missing!"',
      completion: '{"intent": "missing_parcel", "urgency": 4, "language": "en", "order": "{order}"}',
    },
  ],
  Embeddings: inputs("order {order} not delivered {city}", "return policy {product}", "charged twice, refund", "warranty water damage"),
});

export const documentTexts = texts({
  Chat: [
    {
      prompt: "Summarize the incident report {number} in three bullet points.",
      completion:
        "- A certificate of the payment gateway expired at 02:14 UTC; card payments failed for 41 minutes.\n- The on-call engineer renewed it by hand; no orders were lost.\n- Follow-up: renew certificates automatically and alert 14 days before they expire.",
    },
    {
      prompt: "Who owns the service `catalog-sync`, and where is its runbook?",
      completion:
        "The team *Catalog* owns `catalog-sync`. Its runbook is in the repository under docs/runbook.md; the rotation is called catalog-primary.",
    },
  ],
  Embeddings: inputs("vpn profile {city}", "incident {number} certificate", "travel expenses approval limit", "parental leave form"),
});

export const salesTexts = texts({
  Chat: [
    {
      prompt: "Draft a short follow-up to {name} at {company} after yesterday's demo. They asked about single sign-on.",
      completion:
        "Hi {name},\n\nthank you for your time yesterday. You asked about single sign-on: we support SAML and OpenID Connect on every plan, and the set-up takes about an hour.\n\nWould Thursday at 10:00 suit you for a call with our engineers?\n\nBest regards",
    },
    {
      prompt:
        "Turn these notes into CRM fields as JSON.\n\nNotes: call with {name}, {company}; budget {amount} k, decision in May, competitor in place, wants a pilot.",
      completion:
        '{"contact": "{name}", "account": "{company}", "budget_keur": "{amount}", "decision": "May", "competitor": true, "next_step": "pilot"}',
    },
  ],
  Embeddings: inputs("{company} renewal risks", "single sign-on objections", "logistics returns process", "pilot proposal {company}"),
  Image: inputs(
    "A flat illustration of a warehouse in {city} at sunrise, muted colours, no text",
    "Product photo of a {product} on a light wooden table, soft light from the left",
  ),
});

export const invoiceTexts = texts({
  Chat: [
    {
      prompt:
        "Extract supplier, number, date and total of this invoice as JSON.\n\n{company}\nInvoice {number}\nDate 2025-03-04\nSubtotal {amount}\nVAT 19 %",
      completion:
        '{"supplier": "{company}", "number": "{number}", "date": "2025-03-04", "net": "{amount}", "currency": "EUR", "vat_rate": 0.19}',
    },
    {
      prompt: "Does invoice {number} of {company} match order {order}? Ordered: 4 pieces, {amount} EUR. Invoiced: 4 pieces, {amount} EUR.",
      completion: "Yes. Quantity and total match order {order}. The payment term differs: 14 days on the invoice, 30 days in the contract.",
    },
    {
      prompt: "Lies die Positionen der Rechnung {number} aus und gib sie als Tabelle zurück.",
      completion:
        "| Pos | Artikel | Menge | Betrag |\n|---|---|---|---|\n| 1 | {product} | 2 | {amount} EUR |\n| 2 | Versand nach {city} | 1 | 9,90 EUR |",
    },
  ],
});
