import FitScreen from '@mui/icons-material/FitScreen';
import ZoomIn from '@mui/icons-material/ZoomIn';
import ZoomOut from '@mui/icons-material/ZoomOut';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import type { View } from 'vega';
import { ZOOM } from '../../utils/chartSpec';

/** The visible part of the axis, around its middle; null for all of it. */
function zoom(view: View, share: number | null): void {
  const domain = (axis: 'x' | 'y') => (view.scale(axis) as { domain: () => (number | Date)[] }).domain().map(Number);
  const [from, to] = domain('x') as [number, number];
  const [middle, half] = [(from + to) / 2, (share ?? 1) * (to - from) / 2];
  view.signal(`${ZOOM}_x`, share && [middle - half, middle + half]);
  view.signal(`${ZOOM}_y`, share && domain('y'));
  void view.runAsync();
}

const WAYS = [
  ['Zoom in', 'Zoom in (or the wheel)', ZoomIn, 0.7],
  ['Zoom out', 'Zoom out (or the wheel)', ZoomOut, 1 / 0.7],
  ['Show all', 'Show all (or two clicks)', FitScreen, null],
] as const;

/** Buttons that zoom like the wheel does. */
export function ZoomButtons({ view }: { view: () => View | null }) {
  return WAYS.map(([name, help, Icon, share]) => (
    <Tooltip key={name} title={help}>
      <IconButton size="small" aria-label={name} onClick={() => { const it = view(); if (it) zoom(it, share); }}>
        <Icon fontSize="small" />
      </IconButton>
    </Tooltip>
  ));
}
