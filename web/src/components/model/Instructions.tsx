import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ModelEdit, ModelParts } from '../../api/types';
import type { ModelEditor } from '../../hooks/useModel';
import { InlineText } from './InlineText';

/** What applies to the whole model: its description, instructions and questions to begin with. */
export function Instructions({ parts, editor }: { parts: ModelParts; editor?: ModelEditor }) {
  const set = editor && ((values: NonNullable<ModelEdit['values']>) => editor.edit({ op: 'set', kind: 'model', values }));
  const lines = (text: string) => text.split('\n').map((line) => line.trim()).filter(Boolean);
  return (
    <Stack spacing={2}>
      <div>
        <Typography variant="subtitle1" component="h3">Description</Typography>
        <InlineText label="Description of the model" value={parts.description ?? ''} empty="No description" multiline
          onSave={set && ((text) => set({ description: text || null }))} />
      </div>
      <div>
        <Typography variant="subtitle1" component="h3">Instructions</Typography>
        <Typography variant="body2" color="textSecondary">Every question about these data is answered with them in mind.</Typography>
        <InlineText label="Instructions of the model" value={parts.instructions ?? ''} empty="No instructions" multiline
          onSave={set && ((text) => set({ instructions: text || null }))} />
      </div>
      <div>
        <Typography variant="subtitle1" component="h3">Examples</Typography>
        <Typography variant="body2" color="textSecondary">Questions to begin with, one per line.</Typography>
        <InlineText label="Examples of the model" value={parts.examples.join('\n')} empty="No examples" multiline
          onSave={set && ((text) => set({ examples: lines(text) }))} />
      </div>
    </Stack>
  );
}
