import SmartToy from '@mui/icons-material/SmartToy';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import CardActionArea from '@mui/material/CardActionArea';
import CardContent from '@mui/material/CardContent';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

export interface Example {
  title?: string;
  prompt: string;
}

/** Shown where the ontology suggests nothing: every model and the built-in analyst answer it. */
export const EXAMPLES: Example[] = [{ prompt: 'What can I ask?' }];

/** The places of the examples that are not loaded yet. */
const PLACES = [0, 1, 2, 3, 4, 5];

/** In the middle of a wide window. It depends on the window only: what arrives later moves nothing above it. */
const TOP = { xs: 3, sm: 'max(24px, calc(50dvh - 300px))' };

interface WelcomeScreenProps {
  /** Undefined until they are loaded. */
  examples: Example[] | undefined;
  onSuggestion: (prompt: string) => void;
  children?: ReactNode;
}

/** The page before a chat is selected. */
export function WelcomeScreen({ examples, onSuggestion, children }: WelcomeScreenProps) {
  return (
    <Stack spacing={3} sx={{ alignItems: 'center', p: 3, pt: TOP, mx: 'auto', maxWidth: 760 }}>
      <SmartToy sx={{ fontSize: 64, color: 'primary.main' }} />
      <Typography variant="h4" component="h1">Data Agent</Typography>
      <Typography color="textSecondary" sx={{ textAlign: 'center' }}>
        Ask questions about your data in natural language. Every answer shows its queries, its rows and its checks.
      </Typography>
      <Box sx={{ width: '100%' }}>{children}</Box>
      <Box sx={{ display: 'grid', gap: 1.5, width: '100%', gridTemplateColumns: 'repeat(auto-fit, minmax(min(260px, 100%), 1fr))' }}>
        {!examples && PLACES.map((place) => <Skeleton key={place} variant="rounded" height={46} />)}
        {examples?.map((example) => (
          <Card key={example.prompt} variant="outlined">
            <CardActionArea onClick={() => onSuggestion(example.prompt)} sx={{ height: '100%' }}>
              <CardContent sx={{ py: 1.5 }}>
                {example.title && (
                  <Typography variant="body2" sx={{ fontWeight: 600 }}>{example.title}</Typography>
                )}
                <Typography variant="body2" color="textSecondary">{example.prompt}</Typography>
              </CardContent>
            </CardActionArea>
          </Card>
        ))}
      </Box>
    </Stack>
  );
}
