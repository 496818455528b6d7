/** A program with only connections, one for each entry of FAULTY_SERVICES: a JSON object of names and special arguments. */
import * as pulumi from "@pulumi/pulumi";
import { Connection, type ConnectionArgs } from "../../../src/connection/connection";
import { readSettings } from "../../../src/settings";

const connection = { ...readSettings().connection, serviceApiKeyConfig: `${pulumi.getProject()}:serviceApiKey` };
const services = JSON.parse(process.env.FAULTY_SERVICES ?? "{}") as Record<string, Partial<ConnectionArgs>>;

for (const [name, special] of Object.entries(services)) new Connection(name, { ...connection, ...special });
