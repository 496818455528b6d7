/** The program or a provider is killed, and the engine continues: see `kill/suite.ts`. */
import { points } from "./kill/points";
import { testPoints } from "./kill/suite";

testPoints(points.filter(([, , killed]) => killed !== "engine"));
