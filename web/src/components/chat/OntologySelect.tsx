import Autocomplete, { createFilterOptions } from '@mui/material/Autocomplete';
import TextField from '@mui/material/TextField';
import type { Ontology } from '../../api/types';
import { useOrigins } from '../../hooks/useOrigins';

interface OntologySelectProps {
  ontologies: Ontology[];
  value: string;
  onChange: (id: string) => void;
  helperText?: string;
}

interface Option {
  id: string;
  label: string;
  /** The name of its connection and semantic model. */
  origin: string;
}

const byWords = createFilterOptions<Option>({ stringify: ({ label, origin }) => `${label} ${origin}` });

function optionsOf(ontologies: Ontology[], originOf: (ontology: Ontology) => string): Option[] {
  return ontologies
    .map((o) => ({ id: o.id, label: `${o.name} (${o.datasetCount} datasets)`, origin: originOf(o) }))
    .sort((a, b) => a.origin.localeCompare(b.origin) || a.label.localeCompare(b.label));
}

/** A select for the ontology, searchable by its name, semantic model or connection. */
export function OntologySelect({ ontologies, value, onChange, helperText }: OntologySelectProps) {
  const options = optionsOf(ontologies, useOrigins(ontologies.length > 1));
  return (
    <Autocomplete
      size="small" fullWidth disableClearable
      options={options} filterOptions={byWords} groupBy={({ origin }) => origin}
      value={options.find(({ id }) => id === value) ?? (null as unknown as Option)}
      isOptionEqualToValue={(a, b) => a.id === b.id}
      onChange={(_event, option) => onChange(option.id)}
      renderInput={(params) => (
        <TextField {...params} label="Ontology" helperText={helperText} placeholder="Name, model or connection" />
      )}
    />
  );
}
