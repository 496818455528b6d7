/** The program or a provider is killed, which the engine survives: see `kill/suite.ts`. */
import { points } from "./kill/points";
import { killAt } from "./kill/suite";

killAt(points.filter(([, , victim]) => victim !== "engine"));
