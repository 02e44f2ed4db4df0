import CheckCircle from '@mui/icons-material/CheckCircleOutlined';
import Code from '@mui/icons-material/Code';
import ErrorOutline from '@mui/icons-material/ErrorOutlineOutlined';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import { memo } from 'react';
import { getToolLabel, hasBadge } from '../../utils/phases';
import { tablesOf } from '../../utils/tablesOf';
import { Fold } from '../common/Fold';
import { CodeBlock } from '../common/CodeBlock';
import type { PhaseToolCall } from './insightsUtils';

type Args = Record<string, unknown>;

const HINT_LENGTH = 200;

/** The beginning of the arguments, to distinguish calls. */
function hintOf(args: Args): string {
  const first = args.sql ?? args.code ?? args.datasetNames ?? args.datasetName;
  const text = Array.isArray(first) ? first.join(', ') : typeof first === 'string' ? first : '';
  return text.slice(0, HINT_LENGTH).replaceAll(/\s+/g, ' ').trim();
}

function Arguments({ args }: { args: Args }) {
  const { sql, code, ...rest } = args;
  return (
    <>
      {Object.keys(args).length > 0 && <Typography variant="caption" color="textSecondary">Arguments</Typography>}
      {typeof sql === 'string' && <CodeBlock code={sql} language="sql" />}
      {typeof code === 'string' && <CodeBlock code={code} language="python" />}
      {Object.keys(rest).length > 0 && (
        <CodeBlock code={JSON.stringify(rest, null, 2)} language="json" maxHeight={240} />
      )}
    </>
  );
}

function StateIcon({ toolCall }: { toolCall: PhaseToolCall }) {
  // A badge says it already.
  const words = (state: string) => (hasBadge(toolCall.name) ? undefined : state);
  if (toolCall.running) return <CircularProgress size={16} aria-label="Running" aria-hidden={hasBadge(toolCall.name)} sx={{ m: '2px', flex: 'none' }} />;
  if (toolCall.error !== undefined) return <ErrorOutline fontSize="small" color="error" titleAccess={words('Failed')} />;
  return toolCall.past && !hasBadge(toolCall.name) ? <Code fontSize="small" /> : <CheckCircle fontSize="small" color="success" titleAccess={words('Done')} />;
}

/** "Running execute_sql …" becomes "Done". Every stored call of these tools says whether it failed. */
function Badge({ toolCall: { name, running, error } }: { toolCall: PhaseToolCall }) {
  if (!hasBadge(name)) return null;
  if (running) return <Chip size="small" color="info" variant="outlined" label={`Running ${name} …`} />;
  if (error !== undefined) return <Chip size="small" color="error" variant="outlined" label="Failed" />;
  return <Chip size="small" color="success" variant="outlined" label="Done" />;
}

interface ToolCallAccordionProps {
  toolCall: PhaseToolCall;
  /** The level of its heading in the page. */
  level?: 2 | 3 | 4 | 5;
}

/** One tool call: its arguments and its result. */
export const ToolCallAccordion = memo(function ToolCallAccordion({ toolCall, level = 5 }: ToolCallAccordionProps) {
  const args = (toolCall.args ?? {}) as Args;
  const failed = toolCall.error !== undefined;
  const tables = typeof args.sql === 'string' ? tablesOf(args.sql) : '';
  const result = toolCall.error ?? toolCall.result;
  const title = (
    <>
      <StateIcon toolCall={toolCall} />
      <Typography variant="body2" component="span" color={failed ? 'error' : undefined} sx={{ flex: 'none' }}>
        {toolCall.running && hasBadge(toolCall.name) ? '' : getToolLabel(toolCall.name)}
      </Typography>
      {tables && <Typography variant="caption" component="span" noWrap sx={{ flex: 'none', maxWidth: '45%' }}>{tables}</Typography>}
      <Badge toolCall={toolCall} />
      <Typography variant="caption" component="span" noWrap color="textSecondary" sx={{ minWidth: 0 }}>
        {hintOf(args)}
      </Typography>
    </>
  );
  return (
    <Fold level={level} framed title={title}>
      <Arguments args={args} />
      {result !== undefined && (
        <Box>
          <Typography variant="caption" color="textSecondary">{failed ? 'Error' : 'Result'}</Typography>
          <CodeBlock code={result} maxHeight={240} />
        </Box>
      )}
    </Fold>
  );
});
