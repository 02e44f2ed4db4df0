/** Selects the messages to show: edited questions and repeated answers are branches. */
import type { DataChatMessage } from '../api/types';

export interface Shown {
  message: DataChatMessage;
  /** All versions of the message, oldest first. */
  siblings: string[];
}

const ROOT = '';

/** Groups messages by parent, in the order of `messages` (oldest first). A parent that is not loaded counts as the root. */
function childrenOf(messages: DataChatMessage[]): Map<string, DataChatMessage[]> {
  const known = new Set(messages.map((m) => m.id));
  const children = new Map<string, DataChatMessage[]>();
  for (const message of messages) {
    const parent = message.parentId && known.has(message.parentId) ? message.parentId : ROOT;
    const siblings = children.get(parent);
    if (siblings) siblings.push(message);
    else children.set(parent, [message]);
  }
  return children;
}

/** The chosen branch; by default the one with the latest message. */
export function visiblePath(
  messages: DataChatMessage[],
  chosen: ReadonlyMap<string, string>,
): Shown[] {
  const children = childrenOf(messages);
  const parents = new Map(messages.map((m) => [m.id, m.parentId]));
  const latest = new Set<string>();
  for (let id: string | null | undefined = messages.at(-1)?.id; id; id = parents.get(id))
    latest.add(id);

  const path: Shown[] = [];
  let at = ROOT;
  for (;;) {
    const siblings: DataChatMessage[] = children.get(at) ?? [];
    if (siblings.length === 0) return path;
    const message =
      siblings.find((m) => m.id === chosen.get(at)) ??
      siblings.find((m) => latest.has(m.id)) ??
      siblings.at(-1)!;
    path.push({ message, siblings: siblings.map((m) => m.id) });
    at = message.id;
  }
}

/** The choices that make a message visible, on any branch. */
export function branchOf(id: string, messages: DataChatMessage[]): ReadonlyMap<string, string> {
  const byId = new Map(messages.map((m) => [m.id, m]));
  const chosen = new Map<string, string>();
  for (let at = byId.get(id); at; at = byId.get(at.parentId ?? ''))
    chosen.set(at.parentId && byId.has(at.parentId) ? at.parentId : ROOT, at.id);
  return chosen;
}

/** The key of the choice between a message's siblings. */
export function placeOf(message: DataChatMessage, messages: DataChatMessage[]): string {
  const parent = message.parentId;
  return parent && messages.some((m) => m.id === parent) ? parent : ROOT;
}
