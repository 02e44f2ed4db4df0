import Dialog from '@mui/material/Dialog';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';

const KEYS: [string, string][] = [
  ['Enter', 'Send the question'],
  ['Shift+Enter', 'A new line'],
  ['↑', 'Edit the last question, if the input is empty'],
  ['Esc', 'Stop the answer'],
  ['Ctrl+Shift+O', 'New chat: choose data and agent'],
  ['Ctrl+K', 'Search chats'],
  ['Ctrl+I', 'Insights'],
  ['F2, Delete', 'Rename or delete the chat that has the focus'],
  ['→', 'Its other actions: pin, archive'],
  ['Ctrl+Z', 'Undo deleting or archiving a chat, or deleting files'],
  ['?', 'This help'],
];

export function ShortcutHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby="keys-title">
      <DialogTitle id="keys-title">Keyboard shortcuts</DialogTitle>
      <DialogContent>
        <Table size="small">
          <TableBody>
            {KEYS.map(([keys, what]) => (
              <TableRow key={keys}>
                <TableCell component="th" scope="row"><kbd>{keys}</kbd></TableCell>
                <TableCell>{what}</TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </DialogContent>
    </Dialog>
  );
}
