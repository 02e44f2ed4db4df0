import Code from '@mui/icons-material/Code';
import CircularProgress from '@mui/material/CircularProgress';
import Typography from '@mui/material/Typography';
import { getToolLabel } from '../../utils/phases';
import { Fold } from '../common/Fold';
import { CodeBlock } from '../common/CodeBlock';
import type { PhaseToolCall } from './insightsUtils';

function Arguments({ args }: { args: unknown }) {
  const { sql, code, ...rest } = (args ?? {}) as Record<string, unknown>;
  return (
    <>
      {typeof sql === 'string' && <CodeBlock code={sql} language="sql" />}
      {typeof code === 'string' && <CodeBlock code={code} language="python" />}
      {Object.keys(rest).length > 0 && (
        <CodeBlock code={JSON.stringify(rest, null, 2)} language="json" maxHeight={240} />
      )}
    </>
  );
}

/** One tool that was called: with what, and what came of it. */
export function ToolCallAccordion({ toolCall }: { toolCall: PhaseToolCall }) {
  const result = toolCall.error ?? toolCall.result;
  const title = (
    <>
      {toolCall.running ? <CircularProgress size={14} aria-label="Running" /> : <Code fontSize="small" />}
      <Typography variant="body2" component="span" color={toolCall.error ? 'error' : undefined}>
        {getToolLabel(toolCall.name)}
      </Typography>
    </>
  );
  return (
    <Fold level={5} framed title={title}>
      <Typography variant="caption" color="textSecondary">Arguments</Typography>
      <Arguments args={toolCall.args} />
      {result !== undefined && (
        <>
          <Typography variant="caption" color="textSecondary">
            {toolCall.error ? 'Error' : 'Result'}
          </Typography>
          <CodeBlock code={result} maxHeight={240} />
        </>
      )}
    </Fold>
  );
}
