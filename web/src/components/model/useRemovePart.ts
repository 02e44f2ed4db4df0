import { ApiError, reasonOf } from '../../api/errors';
import type { ModelEdit, ModelMetric, ModelRelationship } from '../../api/types';
import { useKeyboardKept } from '../../hooks/useKeyboardStays';
import type { ModelEditor } from '../../hooks/useModel';
import { useUndo } from '../../hooks/useUndo';

interface Parts {
  metric: ModelMetric;
  relationship: ModelRelationship;
}
type Kind = keyof Parts;

export const newId = (kind: Kind) => `new-${kind}`;
export const removeId = (kind: Kind, name: string) => `remove-${kind}-${name}`;

/** The edit that adds a part again, as it was. */
export function additionOf(kind: Kind, part: ModelMetric | ModelRelationship): ModelEdit {
  const own = 'expression' in part
    ? { label: part.label ?? undefined, expression: part.expression, datatype: part.datatype ?? undefined }
    : { from: part.from, to: part.to, fromColumns: part.fromColumns, toColumns: part.toColumns };
  const synonyms = part.synonyms.length > 0 ? part.synonyms : undefined;
  return {
    op: 'add', kind,
    values: { name: part.name, description: part.description ?? undefined, instructions: part.instructions ?? undefined, synonyms, ...own },
  };
}

/**
 * Takes back a removal and nothing else: the version before is restored only if there is no later one, else the part
 * is added to the newest.
 */
async function takeBack(editor: ModelEditor, removedIn: number, addition: ModelEdit): Promise<void> {
  if (editor.version() === removedIn)
    try {
      await editor.change({ restore: removedIn - 1 });
      return;
    } catch (error) {
      // Somebody else has changed the model meanwhile.
      if (!(error instanceof ApiError && error.status === 409)) throw error;
    }
  await editor.edit(addition);
}

/** Removes a metric or a relationship, and offers Undo. The focus moves to a neighbour. */
export function useRemovePart<K extends Kind>(editor: ModelEditor | undefined, kind: K, parts: Parts[K][]) {
  const { offer, complain } = useUndo();
  const keep = useKeyboardKept(parts);
  return async (name: string) => {
    const at = parts.findIndex((part) => part.name === name);
    const neighbour = parts[at + 1] ?? parts[at - 1];
    keep(neighbour ? removeId(kind, neighbour.name) : newId(kind));
    try {
      const saved = await editor!.edit({ op: 'remove', kind, name });
      offer(name, () => takeBack(editor!, saved.version, additionOf(kind, parts[at]!)), 'removed');
    } catch (error) {
      complain(new Error(reasonOf(error)));
    }
  };
}
