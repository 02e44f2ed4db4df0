import Close from '@mui/icons-material/Close';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { LlmTrace } from '../../api/types';
import { phaseName } from '../../utils/phases';
import { curlOf } from '../../utils/traceCurl';
import { CodeBlock } from '../common/CodeBlock';
import { Fold } from '../common/Fold';
import { formatTokenCount } from './insightsUtils';
import { PromptSections } from './PromptSections';

interface LlmTraceDialogProps {
  trace: LlmTrace;
  open: boolean;
  onClose: () => void;
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="section" sx={{ mb: 2 }}>
      <Typography variant="subtitle2" component="h3">{title}</Typography>
      {children}
    </Box>
  );
}

function Facts({ facts }: { facts: [string, ReactNode][] }) {
  return (
    <Box component="dl" sx={{ display: 'grid', gridTemplateColumns: 'max-content 1fr', columnGap: 2, rowGap: 0.25, m: 0, '& dt': { color: 'text.secondary' }, '& dd': { m: 0, overflowWrap: 'anywhere' } }}>
      {facts.map(([name, value]) => (
        <Box key={name} sx={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Box>
      ))}
    </Box>
  );
}

/** Formats JSON; other text is unchanged. */
function Content({ text }: { text: string }) {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object') return <CodeBlock code={JSON.stringify(value, null, 2)} language="json" />;
  } catch {
    // The text is not JSON.
  }
  return <CodeBlock code={text} language="markdown" wrap />;
}

/** One model call: purpose, time, tokens, prompt and reply. */
export default function LlmTraceDialog({ trace, open, onClose }: LlmTraceDialogProps) {
  return (
    <Dialog fullScreen open={open} onClose={onClose} aria-labelledby="trace-title">
      <DialogTitle id="trace-title" sx={{ pr: 8 }}>{phaseName(trace.phase)}: {trace.purpose}</DialogTitle>
      <IconButton aria-label="Close" onClick={onClose} sx={{ position: 'absolute', top: 12, right: 12 }}><Close /></IconButton>
      <DialogContent dividers>
        <Box sx={{ maxWidth: 1000, mx: 'auto', display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)' }}>
          {trace.error && <Alert severity="error" sx={{ mb: 2 }}>{trace.error}</Alert>}
          <Part title="Metadata">
            <Facts facts={[['Phase', phaseName(trace.phase)], ['Purpose', trace.purpose], ['Provider', trace.provider],
              ['Model', trace.model], ['Temperature', trace.temperature ?? 'not sent'],
              ['Structured output', trace.structuredOutput ? 'yes' : 'no'], ['Call', trace.callIndex], ['Step', trace.stepId ?? '–']]} />
          </Part>
          <Part title="Timing">
            <Facts facts={[['Started', new Date(trace.startedAt).toLocaleString()], ['Ended', new Date(trace.completedAt).toLocaleString()],
              ['Duration', `${formatTokenCount(trace.durationMs)} ms`]]} />
          </Part>
          <Part title="Token usage">
            <Facts facts={[['Prompt', formatTokenCount(trace.promptTokens)], ['Completion', formatTokenCount(trace.completionTokens)], ['Total', formatTokenCount(trace.totalTokens)]]} />
          </Part>
          <Fold level={3} title={<Typography variant="subtitle2" component="span">Request as cURL</Typography>}>
            <Typography variant="body2" color="textSecondary">
              The key and the address are variables of your shell. Tools and schemas of the call are not in a trace.
            </Typography>
            <CodeBlock code={curlOf(trace)} />
          </Fold>
          <PromptSections trace={trace} />
          <Part title="Prompt messages">
            {trace.promptMessages.map((message, i) => (
              <Box key={i}>
                <Typography variant="caption" color="textSecondary">{message.type}</Typography>
                <Content text={message.content} />
                {message.tool_calls && <CodeBlock code={JSON.stringify(message.tool_calls, null, 2)} language="json" />}
              </Box>
            ))}
          </Part>
          <Part title="Response content"><Content text={trace.responseContent ?? ''} /></Part>
          {trace.toolCalls && trace.toolCalls.length > 0 && (
            <Part title="Tool calls"><CodeBlock code={JSON.stringify(trace.toolCalls, null, 2)} language="json" /></Part>
          )}
        </Box>
      </DialogContent>
    </Dialog>
  );
}
