import { createTheme } from '@mui/material/styles';

/** Around whatever has the focus of the keyboard. */
const FRAME = { outline: '2px solid var(--mui-palette-primary-main)', outlineOffset: 2 } as const;

/** The same, drawn within it. */
const INSIDE = { ...FRAME, outlineOffset: -2 } as const;

/** The windows that have room for the insights next to a chat. */
export const BESIDE = '(min-width:1200px)';
/** How wide the insights are. */
export const INSIGHTS_WIDTH = 360;

/** The light and dark theme; a class of <html> selects one. */
export const theme = createTheme({
  cssVariables: { colorSchemeSelector: 'class' },
  colorSchemes: {
    light: {
      palette: {
        primary: { main: '#0f766e', contrastText: '#ffffff' },
        success: { main: '#15713c' },
        warning: { main: '#8a4b00' },
        error: { main: '#b3261e' },
        info: { main: '#0b5c8f' },
        text: { primary: '#16211f', secondary: '#4c5c59' },
        background: { default: '#f6f9f8', paper: '#ffffff' },
      },
    },
    dark: {
      palette: {
        primary: { main: '#5eead4', contrastText: '#06231f' },
        success: { main: '#7fdca0' },
        warning: { main: '#f5c26b' },
        error: { main: '#ff9d94' },
        info: { main: '#8ecdf5' },
        text: { primary: '#e6efed', secondary: '#a9bab6' },
        background: { default: '#0e1513', paper: '#151f1d' },
      },
    },
  },
  shape: { borderRadius: 10 },
  typography: { fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif' },
  components: {
    // The ripple alone is hardly visible, and absent where motion is reduced.
    MuiButtonBase: { styleOverrides: { root: { '&.Mui-focusVisible': FRAME } } },
    // Their surroundings would cut a frame around them.
    MuiListItemButton: { styleOverrides: { root: { '&.Mui-focusVisible': INSIDE } } },
    MuiMenuItem: { styleOverrides: { root: { '&.Mui-focusVisible': INSIDE } } },
    MuiAccordionSummary: { styleOverrides: { root: { '&.Mui-focusVisible': INSIDE } } },
    MuiCardActionArea: { styleOverrides: { root: { '&.Mui-focusVisible': INSIDE } } },
    // Below a button it would cover what is clicked next, and stay there while the pointer is over it.
    MuiTooltip: { defaultProps: { placement: 'top' } },
    MuiButton: {
      defaultProps: { disableElevation: true },
      styleOverrides: { root: { textTransform: 'none', flexShrink: 0 } },
    },
    // In the dark theme, raised papers would have a different grey.
    MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
    MuiAccordion: { styleOverrides: { root: { '&.Mui-disabled': { backgroundColor: 'transparent' } } } },
    MuiTab: { styleOverrides: { root: { textTransform: 'none', '&.Mui-focusVisible': INSIDE } } },
    MuiToggleButton: { styleOverrides: { root: { textTransform: 'none' } } },
    // Otherwise each field inserts and removes these styles, and the browser restyles the whole page each time.
    MuiInputBase: { defaultProps: { disableInjectingGlobalStyles: true } },
    MuiCssBaseline: {
      styleOverrides: {
        '@keyframes mui-auto-fill': { from: { display: 'block' } },
        '@keyframes mui-auto-fill-cancel': { from: { display: 'block' } },
        html: { height: '100%' },
        body: { height: '100%', overflow: 'hidden' },
        '#root': { height: '100dvh' },
        ':where(:focus-visible)': INSIDE,
        // The library of the join graph draws none.
        '.react-flow .react-flow__edge:focus-visible': INSIDE,
        // A select without a border of its own.
        '.MuiInput-input.MuiSelect-select:focus-visible': FRAME,
        '.visually-hidden': {
          position: 'absolute',
          width: 1,
          height: 1,
          overflow: 'hidden',
          clipPath: 'inset(50%)',
          whiteSpace: 'nowrap',
        },
        // The default colors of the snackbar are too light for its white text.
        '.notistack-MuiContent-success': { backgroundColor: '#15713c !important' },
        '.notistack-MuiContent-warning': { backgroundColor: '#8a4b00 !important' },
        '.notistack-MuiContent-error': { backgroundColor: '#b3261e !important' },
        '.notistack-MuiContent-info': { backgroundColor: '#0b5c8f !important' },
        '@media (prefers-reduced-motion: reduce)': {
          // An endless animation would flicker: it is shown once, and rests.
          '*, *::before, *::after': {
            animationDuration: '0.01ms !important', animationIterationCount: '1 !important',
            // Not a short one: each change of a style would be a transition, and be seen a frame later.
            transitionDuration: '0s !important', transitionDelay: '0s !important',
          },
        },
      },
    },
  },
});
