/** Changes in the permissions of a folder: a line for each role, team or user. Pure. */
import { isObject, type Json, own } from "./json";
import { safeName, show, valueWords } from "./words";

/** Undefined where one of the values is no list of permissions that names each holder once. */
export function permissionLines(before: Json | undefined, after: Json | undefined): string[] | undefined {
  const [old, wanted] = [levels(before), levels(after)];
  if (!old || !wanted) return undefined;
  const holders = [...new Set([...old.keys(), ...wanted.keys()])].filter((holder) => old.get(holder) !== wanted.get(holder));
  return holders.map((holder) => valueWords(holder, old.get(holder), wanted.get(holder)));
}

/** The permission of each holder, by its name as Markdown. */
function levels(list: Json | undefined): Map<string, string> | undefined {
  const found = new Map<string, string>();
  for (const element of Array.isArray(list) ? list : []) {
    const [holder, permission] = [holderOf(element), own(element, "permission")];
    if (holder === undefined || typeof permission !== "string" || found.has(holder)) return undefined;
    found.set(holder, permission);
  }
  return found;
}

/** Ids have the organization in front, and 0 is none. */
function holderOf(permission: Json): string | undefined {
  if (!isObject(permission)) return undefined;
  const { role, teamId, userId } = permission;
  if (typeof role === "string" && role !== "") return safeName(role);
  const isId = (id: Json | undefined): id is string => typeof id === "string" && !/^(\d+:)?0?$/.test(id);
  if (isId(teamId)) return `team ${show(teamId)}`;
  return isId(userId) ? `user ${show(userId)}` : undefined;
}
