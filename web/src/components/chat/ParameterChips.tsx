import ArrowDropDown from '@mui/icons-material/ArrowDropDown';
import Chip from '@mui/material/Chip';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Stack from '@mui/material/Stack';
import { useMemo, useState } from 'react';
import { metadataOf, planOf, type DataChatMessage } from '../../api/types';
import { parametersOf, type Parameter } from '../../utils/parameters';

interface ParameterChipProps {
  parameter: Parameter;
  onAsk: (question: string) => void;
}

function ParameterChip({ parameter: { name, value, others }, onAsk }: ParameterChipProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Chip size="small" variant="outlined" label={`${name}: ${value}`} icon={<ArrowDropDown />} aria-haspopup="menu"
        onClick={(e) => setAnchor(e.currentTarget)} sx={{ maxWidth: '100%' }} />
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {others.map((other) => (
          <MenuItem key={other.value} onClick={() => { setAnchor(null); onAsk(other.question); }}>{other.value}</MenuItem>
        ))}
      </Menu>
    </>
  );
}

/** What the latest answer was computed for; a click asks for something else. */
export function ParameterChips({ message, onAsk }: { message: DataChatMessage; onAsk: (question: string) => void }) {
  const parameters = useMemo(() => parametersOf(planOf(metadataOf(message))), [message]);
  if (parameters.length === 0) return null;
  return (
    <Stack direction="row" role="group" aria-label="Computed for" sx={{ flexWrap: 'wrap', gap: 0.75, mb: 1 }}>
      {parameters.map((parameter) => <ParameterChip key={parameter.name} parameter={parameter} onAsk={onAsk} />)}
    </Stack>
  );
}
