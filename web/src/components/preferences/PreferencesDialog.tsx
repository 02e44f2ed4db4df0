import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useState } from 'react';
import { CaptureModeToggle } from './CaptureModeToggle';
import { PreferenceList } from './PreferenceList';

interface PreferencesDialogProps {
  open: boolean;
  onClose: () => void;
  ontologyId: string | null;
}

/** Edits the preferences: global ones, and those for the chat's ontology. */
export function PreferencesDialog({ open, onClose, ontologyId }: PreferencesDialogProps) {
  const [tab, setTab] = useState<'global' | 'ontology'>('global');
  const scope = tab === 'ontology' ? ontologyId : null;
  return (
    <Dialog open={open} onClose={onClose} fullWidth maxWidth="sm" aria-labelledby="preferences-title">
      <DialogTitle id="preferences-title">Preferences</DialogTitle>
      <DialogContent>
        <CaptureModeToggle />
        <Tabs value={tab} onChange={(_e, next: typeof tab) => setTab(next)} aria-label="Where preferences apply">
          <Tab value="global" label="Global" id="tab-global" aria-controls="preferences-panel" />
          {ontologyId && <Tab value="ontology" label="Ontology" id="tab-ontology" aria-controls="preferences-panel" />}
        </Tabs>
        <div role="tabpanel" id="preferences-panel" aria-labelledby={`tab-${tab}`}>
          <PreferenceList key={tab} ontologyId={scope} />
        </div>
      </DialogContent>
      <DialogActions><Button onClick={onClose}>Close</Button></DialogActions>
    </Dialog>
  );
}
