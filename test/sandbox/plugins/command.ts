/** The stand-in for the command plugin, as the engine starts it (`bin/pulumi-resource-command`). */
import { command } from "./command/provider";
import { main } from "./server";

void main(command);
