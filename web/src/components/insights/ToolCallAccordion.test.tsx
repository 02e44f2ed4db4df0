import { screen } from '@testing-library/react';
import { show } from '../../test/render';
import { ToolCallAccordion } from './ToolCallAccordion';

const call = { name: 'execute_sql', args: { sql: 'SELECT 1' }, running: false };

describe('the badge of a CSV analyst\'s tool', () => {
  it.each([
    [{ ...call, running: true }, 'Running execute_sql …'],
    [{ ...call, result: '{}' }, 'Done'],
    [{ ...call, result: '', error: 'No such table' }, 'Failed'],
  ])('says what the call does: %j', (toolCall, words) => {
    show(<ToolCallAccordion toolCall={toolCall} />);
    expect(screen.getByText(words)).toBeInTheDocument();
  });

  it('stays when the answer is finished; other tools have words instead', () => {
    show(<><ToolCallAccordion toolCall={{ ...call, past: true }} /><ToolCallAccordion toolCall={{ ...call, past: true, name: 'query_database' }} /></>);
    expect(screen.getAllByText('Done')).toHaveLength(1);
    expect(screen.getByText('execute_sql')).toBeInTheDocument();
    expect(screen.getByText('Analyzed data')).toBeInTheDocument();
  });
});
