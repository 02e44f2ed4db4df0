import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { LlmTrace } from '../../api/types';
import { Fold } from '../common/Fold';
import { cutSections } from '../../utils/traces';
import { formatTokenCount } from './insightsUtils';

/** The sections of a prompt with their sizes, and what of them was cut to fit. */
export function PromptSections({ trace }: { trace: LlmTrace }) {
  const sections = trace.promptSections ?? [];
  const cut = cutSections(trace);
  if (sections.length === 0) return null;
  const size = (bytes: number) => `${formatTokenCount(bytes)} bytes`;
  return (
    <Box component="section" sx={{ mb: 2 }}>
      <Typography variant="subtitle2" component="h3">What the prompt holds</Typography>
      {cut.length > 0 ? (
        <Alert severity="warning" variant="outlined" sx={{ my: 1 }}>
          The model did not get all of it:
          <Box component="ul" sx={{ m: 0, pl: 2, overflowWrap: 'anywhere' }}>
            {cut.map((section, i) => (
              <li key={i}>
                {section.name}: {section.cut > 0 && `${size(section.cut)} of ${size(section.bytes)} were left out`}
                {section.cut > 0 && section.shortened && '; '}
                {section.shortened && `in a shorter form: ${section.shortened}`}
              </li>
            ))}
          </Box>
        </Alert>
      ) : <Typography variant="body2" color="textSecondary">Nothing was cut.</Typography>}
      <Fold level={4} title={<Typography variant="body2" component="span" color="textSecondary">{sections.length} sections</Typography>}>
        <Box component="ul" sx={{ m: 0, pl: 2, fontSize: 14, overflowWrap: 'anywhere' }}>
          {sections.map((section, i) => <li key={i}>{section.name}: {size(section.bytes)}</li>)}
        </Box>
      </Fold>
    </Box>
  );
}
