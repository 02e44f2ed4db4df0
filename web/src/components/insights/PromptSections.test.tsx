import { screen } from '@testing-library/react';
import type { LlmTrace } from '../../api/types';
import { show } from '../../test/render';
import { PromptSections } from './PromptSections';

const trace = (promptSections: LlmTrace['promptSections']) => ({ promptSections }) as LlmTrace;

describe('PromptSections', () => {
  it('says what the model did not get', () => {
    show(<PromptSections trace={trace([
      { name: 'datasets', bytes: 12_000, cut: 3000, shortened: 'orders, stores' }, { name: 'question', bytes: 20, cut: 0 },
    ])} />);
    expect(screen.getByRole('alert')).toHaveTextContent('datasets: 3,000 bytes of 12,000 bytes were left out; in a shorter form: orders, stores');
    expect(screen.getByRole('alert')).not.toHaveTextContent('question');
  });

  it('says that nothing was cut', () => {
    show(<PromptSections trace={trace([{ name: 'question', bytes: 20, cut: 0 }])} />);
    expect(screen.getByText('Nothing was cut.')).toBeInTheDocument();
  });

  it('is silent for traces of older versions', () => {
    const { container } = show(<PromptSections trace={trace(null)} />);
    expect(container.querySelector('section')).toBeNull();
  });
});
