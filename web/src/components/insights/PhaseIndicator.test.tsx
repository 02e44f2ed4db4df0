import { screen } from '@testing-library/react';
import { media } from '../../test/media';
import { show } from '../../test/render';
import { PhaseIndicator } from './PhaseIndicator';

function onPhone() {
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => media(query, query.includes('max-width')));
}

describe('PhaseIndicator', () => {
  it('should show active phase', () => {
    show(<PhaseIndicator currentPhase="navigator" completedPhases={['planner']} />);
    expect(screen.getByText('Navigator')).toBeInTheDocument();
    expect(screen.getByText('Navigator').closest('[aria-current=step]')).not.toBeNull();
  });

  it('should mark completed phases', () => {
    show(<PhaseIndicator currentPhase="executor" completedPhases={['planner', 'navigator']} />);
    const step = screen.getByText('Planner').closest('.MuiStepLabel-root');
    expect(step?.querySelector('.Mui-completed')).not.toBeNull();
    expect(screen.getByText('Verifier')).not.toHaveClass('Mui-completed');
  });

  it('says the number and the name on a phone', () => {
    onPhone();
    show(<PhaseIndicator currentPhase="executor" completedPhases={['planner', 'navigator', 'sql_builder']} />);
    expect(screen.getByText('4/6 Executor')).toHaveAttribute('aria-current', 'step');
  });
});
