import { createTheme } from '@mui/material/styles';

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
    MuiButton: {
      defaultProps: { disableElevation: true },
      styleOverrides: { root: { textTransform: 'none', flexShrink: 0 } },
    },
    // In the dark theme, raised papers would have a different grey.
    MuiPaper: { styleOverrides: { root: { backgroundImage: 'none' } } },
    MuiAccordion: { styleOverrides: { root: { '&.Mui-disabled': { backgroundColor: 'transparent' } } } },
    MuiTab: { styleOverrides: { root: { textTransform: 'none' } } },
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
          '*': { animationDuration: '0.01ms !important', transitionDuration: '0.01ms !important' },
        },
      },
    },
  },
});
