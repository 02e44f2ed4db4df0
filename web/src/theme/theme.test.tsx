import CssBaseline from '@mui/material/CssBaseline';
import { show } from '../test/render';

it('lets no animation run for ever where motion is reduced', () => {
  show(<CssBaseline />);
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const reduced = rules.find((rule): rule is CSSMediaRule => rule instanceof CSSMediaRule && rule.conditionText.includes('prefers-reduced-motion'));
  const { selectorText, style } = reduced!.cssRules[0] as CSSStyleRule;
  expect(selectorText).toMatch(/^\*, *\*::before, *\*::after$/);
  expect(style.getPropertyValue('animation-iteration-count')).toBe('1');
  expect(style.getPropertyValue('transition-duration')).toBe('0s');
  expect(style.getPropertyPriority('animation-iteration-count')).toBe('important');
});
