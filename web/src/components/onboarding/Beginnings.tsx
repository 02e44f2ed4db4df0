import Science from '@mui/icons-material/ScienceOutlined';
import Storage from '@mui/icons-material/StorageOutlined';
import UploadFile from '@mui/icons-material/UploadFile';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import CardActionArea from '@mui/material/CardActionArea';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useSamples } from '../../hooks/useSamples';
import { useMay } from '../../hooks/useSession';
import { useUploads } from '../files/FileDrop';

interface BeginningProps {
  icon: ReactNode;
  title: string;
  about: string;
  onClick: () => void;
}

function Beginning({ icon, title, about, onClick }: BeginningProps) {
  return (
    <Card variant="outlined">
      <CardActionArea onClick={onClick} sx={{ height: '100%', p: 2 }}>
        <Stack spacing={1}>
          <Box sx={{ color: 'primary.main', display: 'flex' }}>{icon}</Box>
          <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
          <Typography variant="body2" color="textSecondary">{about}</Typography>
        </Stack>
      </CardActionArea>
    </Card>
  );
}

/** The ways to get data to ask about, and what an ontology is; for those who may not add data, whom to ask. */
export function Beginnings() {
  const navigate = useNavigate();
  const mayConnect = useMay('semantic_models:write');
  const uploads = useUploads();
  const samples = useSamples();
  if (!mayConnect && !uploads)
    return <Alert severity="info">There is no data to ask about yet. An admin or a contributor can add it, and share it with you.</Alert>;
  return (
    <Stack spacing={2}>
      <Typography variant="h6" component="h2" sx={{ textAlign: 'center' }}>{mayConnect && uploads ? 'Three ways to begin' : 'How to begin'}</Typography>
      <Box sx={{ display: 'grid', gap: 1.5, gridTemplateColumns: 'repeat(auto-fit, minmax(min(200px, 100%), 1fr))' }}>
        {uploads && <Beginning icon={<Science />} title="Try sample data" onClick={() => { if (!samples.fetching) samples.start(); }}
          about="Bicycle rentals in two small files; ready in a moment." />}
        {mayConnect && <Beginning icon={<Storage />} title="Connect a database" onClick={() => void navigate('/settings/data/connect')}
          about="PostgreSQL or Trino, read-only. Choose tables, and Sextant describes them." />}
        {uploads && <Beginning icon={<UploadFile />} title="Drop files" onClick={uploads.choose}
          about="CSV, Excel, Parquet or JSON: drop them anywhere on this page, or click to choose." />}
      </Box>
      <Typography variant="body2" color="textSecondary" sx={{ textAlign: 'center' }}>
        From each of them Sextant makes an <em>ontology</em>: what your tables and columns mean, how they join, and how measures
        such as revenue are computed. Answers are built on it, and you can correct it at any time.
      </Typography>
    </Stack>
  );
}
