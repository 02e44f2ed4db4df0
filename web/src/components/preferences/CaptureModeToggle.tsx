import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useSnackbar } from 'notistack';
import { messageOf } from '../../api/errors';
import { CAPTURE_KEY, useDataAgentPreferences, type CaptureMode } from '../../hooks/useDataAgentPreferences';

const MODES: [CaptureMode, string][] = [
  ['off', 'Never'],
  ['auto', 'Automatically'],
  ['ask', 'Ask me'],
];

/** Turns remembering of answers to clarifying questions on and off. */
export function CaptureModeToggle() {
  const { captureMode, save } = useDataAgentPreferences(null);
  const { enqueueSnackbar } = useSnackbar();
  const choose = (mode: CaptureMode | null) => {
    if (mode)
      save(CAPTURE_KEY, mode).catch((error: unknown) => enqueueSnackbar(messageOf(error), { variant: 'error' }));
  };
  return (
    <Box sx={{ mb: 2 }}>
      <Typography variant="body2" id="capture-label" sx={{ mb: 0.5 }}>Remember answers to clarifying questions</Typography>
      <ToggleButtonGroup size="small" exclusive value={captureMode} aria-labelledby="capture-label"
        onChange={(_e, mode: CaptureMode | null) => choose(mode)}>
        {MODES.map(([mode, name]) => <ToggleButton key={mode} value={mode}>{name}</ToggleButton>)}
      </ToggleButtonGroup>
    </Box>
  );
}
