/** The stand-in for the Grafana plugin, as the engine starts it (`bin/pulumi-resource-grafana`). */
import { grafana } from "./grafana/provider";
import { main } from "./server";

void main(grafana);
