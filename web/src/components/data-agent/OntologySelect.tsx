import FormControl from '@mui/material/FormControl';
import FormHelperText from '@mui/material/FormHelperText';
import InputLabel from '@mui/material/InputLabel';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { useId } from 'react';
import type { Ontology } from '../../api/types';

interface OntologySelectProps {
  ontologies: Ontology[];
  value: string;
  onChange: (id: string) => void;
  helperText?: string;
}

export function OntologySelect({ ontologies, value, onChange, helperText }: OntologySelectProps) {
  const id = useId();
  return (
    <FormControl fullWidth size="small">
      <InputLabel id={`${id}-label`}>Ontology</InputLabel>
      <Select labelId={`${id}-label`} id={id} label="Ontology" value={value} onChange={(e) => onChange(e.target.value)}>
        {ontologies.map((o) => (
          <MenuItem key={o.id} value={o.id}>{o.name} ({o.datasetCount} datasets)</MenuItem>
        ))}
      </Select>
      {helperText && <FormHelperText>{helperText}</FormHelperText>}
    </FormControl>
  );
}
