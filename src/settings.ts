/**
 * The settings of a stack: the only place that reads stack config.
 *
 * Each key below says what it means, how it is checked and, by its example, the command that sets it. The README's table of settings and
 * the questions of `pulumi new` are held against this list, so a new key is added here and nowhere else.
 */
import * as pulumi from "@pulumi/pulumi";
import { closest } from "fastest-levenshtein";
import { z } from "zod";
import type { OtlpData } from "./otlp";

/** What a key carries beside its check: the words for documents and messages. */
interface KeyNotes {
  /** One sentence: what the key means, with its source where the spec names it. */
  description: string;
  /** A value to show in `pulumi config set`; secrets have none, since the CLI asks for theirs without echo. */
  example?: string;
  secret?: true;
}

const key = <T extends z.ZodType>(schema: T, notes: KeyNotes): T => schema.meta({ ...notes });

/** A secret becomes an Output as soon as it was checked; no plain copy is kept. */
const secret = (schema: z.ZodString, description: string) =>
  key(
    schema
      .min(1, "must not be empty")
      .regex(/^(\S(.*\S)?)?$/s, "starts or ends with white space or a line break, most likely from copying")
      .transform((value) => pulumi.secret(value)),
    { description, secret: true },
  );

const text = () => z.string().trim().min(1, "must not be empty");

/** Why `value` cannot be used as an address, or undefined where it can. Credentials in it would be shown in every diff. */
function addressProblem(value: string): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return "must be an address that starts with http:// or https://";
  if (/\s/.test(value)) return "must not hold white space";
  if (url.username || url.password) return "must not hold a user name or password: it is stored and shown in plain";
  return undefined;
}

/** An http(s) address, kept to the letter. */
const address = () =>
  text().superRefine((value, context) => {
    const problem = addressProblem(value);
    if (problem) context.addIssue({ code: "custom", message: problem });
  });

/**
 * An http(s) address to which a path will be appended: no query, no fragment, not already ending in `appended`; slashes at its end go.
 * The characters are those that need no quotes in an `.env` file.
 */
const baseAddress = (appended: RegExp, hint: string) =>
  address()
    .regex(/^[\w.~:/%[\]-]*$/, "must be plain: no query (?…), no fragment (#…), only letters, digits and - . _ ~ : / % [ ]")
    .transform((value) => value.replace(/\/+$/, ""))
    .refine((value) => !appended.test(value), hint);

const otlpDataChoices = {
  metrics: ["metrics"],
  traces: ["traces"],
  both: ["metrics", "traces"],
} as const satisfies Record<string, readonly OtlpData[]>;

/** All keys, in the order in which the documents show them. */
export const settingsKeys = {
  service: key(
    text()
      .regex(
        /^[a-zA-Z_][a-zA-Z0-9_]*$/,
        "must be letters, digits and underscores, not starting with a digit: it begins the names of metrics",
      )
      .max(25, "must be at most 25 characters: a dashboard's uid, <service>-llm-monitoring, has room for 40"),
    {
      description: "Name of the LLM observability service, `<svc>` in the spec: prefix of its metrics and value of their `job` label",
      example: "llmobs",
    },
  ),
  serviceUrl: key(baseAddress(/\/api\/connections$/, "must be the base address alone: /api/connections is appended to it"), {
    description: "Base address of the service; the connection is registered at `{serviceUrl}/api/connections` (spec 4.1)",
    example: "https://llmobs.example.com",
  }),
  serviceApiKey: secret(
    z.string().regex(/^[\x20-\x7e]*$/, "has characters other than printable ASCII, which an HTTP header cannot carry"),
    "The service's own API key, sent as the raw `Authorization` header (spec 5.1)",
  ),
  registrationTrigger: key(text().optional(), {
    description: "Any text; a new value registers the connection again, for example after the service lost it or another stack replaced it",
    example: "2",
  }),
  platform: key(
    text()
      .regex(/^[a-z][a-z0-9_-]*$/, "must be one lowercase word")
      .default("grafana"),
    {
      description: "The connection's `Platform`: the platform's word at the service (spec 2.1)",
      example: "grafana",
    },
  ),
  metricsUrl: key(address(), {
    description: "The connection's `MetricsUrl`: the platform's metrics write endpoint, Influx style (spec 2.1)",
    example: "https://influx.example.net/api/v1/push/influx/write",
  }),
  metricsUsername: key(text(), {
    description: "The connection's `MetricsUsername`: the platform's Prometheus user name (spec 2.1)",
    example: "123456",
  }),
  logsUrl: key(address(), {
    description: "The connection's `LogsUrl`: the platform's logs endpoint (spec 2.1)",
    example: "https://logs.example.net/loki/api/v1/push",
  }),
  logsUsername: key(text(), { description: "The connection's `LogsUsername` (spec 2.1)", example: "234567" }),
  platformApiKey: secret(z.string(), "The connection's `ApiKey`: the platform's key with which the service writes (spec 2.1)"),
  otlpEndpoint: key(
    baseAddress(/\/v1\/(metrics|traces|logs)$/, "must be the base address alone: exporters append /v1/metrics and /v1/traces to it"),
    { description: "The platform's OTLP endpoint for direct push (spec 5.4)", example: "https://otlp.example.net/otlp" },
  ),
  otlpInstanceId: key(text().regex(/^[^:]*$/, "must not hold a colon: it separates the instance id from the token"), {
    description: "Instance id of the OTLP endpoint: the user name of the push (spec 5.4)",
    example: "345678",
  }),
  otlpToken: secret(z.string(), "Access-policy token of the push; the output `otlpTokenScopes` says which scopes it needs (spec 5.3)"),
  otlpData: key(
    z
      .enum(["metrics", "traces", "both"], "must be metrics, traces or both")
      .default("both")
      .transform((choice): readonly OtlpData[] => otlpDataChoices[choice]),
    { description: "What applications push: `metrics`, `traces` or `both`", example: "both" },
  ),
} as const;

type KeyName = keyof typeof settingsKeys;

/** Checked settings. Secrets are Outputs marked secret, everything else is a plain value. */
export type Settings = { readonly [K in KeyName]: z.output<(typeof settingsKeys)[K]> };

/** One thing that is wrong with a stack's config. */
export interface Problem {
  key: string;
  /** What is wrong, to follow the key's name. Never holds a secret's value. */
  reason: string;
  /** The command that mends it. */
  command: string;
}

/** A stack's config as the engine hands it over, without the project's prefix. */
export interface StackConfig {
  values: Readonly<Record<string, string>>;
  isSecret(key: string): boolean;
}

/** What documents show of a key. `fallback` is the default as it would be written in config. */
export interface KeyDoc {
  name: string;
  description: string;
  example: string | undefined;
  secret: boolean;
  required: boolean;
  fallback: string | undefined;
}

/** All keys as documents show them, in order. */
export function describeKeys(): KeyDoc[] {
  return Object.entries<z.ZodType>(settingsKeys).map(([name, schema]) => {
    const notes = schema.meta() as unknown as KeyNotes;
    return {
      name,
      description: notes.description,
      example: notes.example,
      secret: notes.secret === true,
      required: !schema.safeParse(undefined).success,
      fallback: defaultOf(schema),
    };
  });
}

/** The default as written in config: that of the innermost schema, before any transformation. */
function defaultOf(schema: z.ZodType): string | undefined {
  if (schema instanceof z.ZodPipe) return defaultOf(schema.in as z.ZodType);
  return schema instanceof z.ZodDefault ? String(schema.def.defaultValue) : undefined;
}

/**
 * Checks a stack's config. Every problem is returned, not the first one.
 *
 * @param stack the stack's name, for the commands in the problems
 */
export function parseSettings(config: StackConfig, stack: string): { settings: Settings } | { problems: Problem[] } {
  const problems: Problem[] = [];
  const settings: Record<string, unknown> = {};
  for (const doc of describeKeys()) {
    const set = `npx pulumi config set ${doc.secret ? `--secret ${doc.name}` : `${doc.name} ${doc.example}`} --stack ${stack}`;
    const report = (reason: string) => problems.push({ key: doc.name, reason, command: set });
    const value = config.values[doc.name];
    if (value === undefined && doc.required) {
      report(`is not set. ${doc.description}.`);
    } else if (value !== undefined && doc.secret && !config.isSecret(doc.name)) {
      report(
        "is a secret, but stands in plain in the stack's config. Make it secret, and replace the key itself if the file was ever shared.",
      );
    } else if (value !== undefined && !doc.secret && config.isSecret(doc.name)) {
      report("is set as a secret, but is shown in dashboards, diffs and messages, so it cannot stay one.");
    } else {
      const parsed = settingsKeys[doc.name as KeyName].safeParse(value);
      if (parsed.success) settings[doc.name] = parsed.data;
      else report(`${parsed.error.issues.map((issue) => issue.message).join("; ")}.`);
    }
  }
  const known = Object.keys(settingsKeys);
  for (const name of Object.keys(config.values).filter((name) => !known.includes(name))) {
    const reason = `is not a setting. Did you mean ${closest(name, known)}?`;
    problems.push({ key: name, reason, command: `npx pulumi config rm ${name} --stack ${stack}` });
  }
  return problems.length > 0 ? { problems } : { settings: settings as unknown as Settings };
}

/** The problems as a text for a person: each with its key, its reason and its command. */
export function formatProblems(problems: readonly Problem[], stack: string): string {
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const lines = problems.map(({ key, reason, command }) => `  ${key} ${reason}\n      ${command}`);
  return `The config of stack ${stack} has ${count}:\n\n${lines.join("\n\n")}\n`;
}

/**
 * Reads and checks the config of the current stack.
 *
 * @throws pulumi.RunError naming every problem; the engine shows it without a stack trace.
 */
export function readSettings(): Settings {
  const prefix = `${pulumi.getProject()}:`;
  const own = Object.entries(pulumi.runtime.allConfig()).filter(([name]) => name.startsWith(prefix));
  const result = parseSettings(
    {
      values: Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value])),
      isSecret: (name) => isConfigSecret(prefix + name),
    },
    pulumi.getStack(),
  );
  if ("problems" in result) throw new pulumi.RunError(formatProblems(result.problems, pulumi.getStack()));
  return result.settings;
}

/** The SDK has this at run time but marks it internal in its types; the public `getSecret` cannot tell a plain value from a secret one. */
function isConfigSecret(fullKey: string): boolean {
  return (pulumi.runtime as unknown as { isConfigSecret(fullKey: string): boolean }).isConfigSecret(fullKey);
}
