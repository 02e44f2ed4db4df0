import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  /** What takes the place of the children after one of them threw. */
  instead: (error: unknown) => ReactNode;
  /** A change of it renders the children again. */
  at?: string;
  children: ReactNode;
}

/** Without it, React removes the whole page when a component throws. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: { error: unknown } | null }> {
  state = { failed: null as { error: unknown } | null };

  static getDerivedStateFromError(error: unknown) {
    return { failed: { error } };
  }

  componentDidUpdate(before: ErrorBoundaryProps) {
    if (this.state.failed && before.at !== this.props.at) this.setState({ failed: null });
  }

  render() {
    const { failed } = this.state;
    return failed ? this.props.instead(failed.error) : this.props.children;
  }
}
