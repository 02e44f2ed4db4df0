import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { PageFrame } from '../components/common/PageFrame';
import { CaptureModeToggle } from '../components/preferences/CaptureModeToggle';
import { PreferenceList } from '../components/preferences/PreferenceList';
import { DefaultAgentSettings } from '../components/settings/DefaultAgentSettings';
import { DefaultProviderSettings } from '../components/settings/DefaultProviderSettings';
import { ThemeSettings } from '../components/settings/ThemeSettings';

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper variant="outlined" sx={{ p: 2 }}>
      <Typography variant="h6" component="h2" gutterBottom>{title}</Typography>
      <Box sx={{ display: 'grid' }}>{children}</Box>
    </Paper>
  );
}

/** The user's own settings. */
export default function SettingsPage() {
  return (
    <PageFrame title="Settings">
      <Part title="Appearance"><ThemeSettings /></Part>
      <Part title="Language model"><Box sx={{ pt: 1, display: 'grid' }}><DefaultProviderSettings /></Box></Part>
      <Part title="Agent"><DefaultAgentSettings /></Part>
      <Part title="What is remembered"><CaptureModeToggle /><PreferenceList ontologyId={null} /></Part>
    </PageFrame>
  );
}
