package lsp

import "context"

// Shutdown implements shutdown: from now on only exit is listened to.
func (s *Server) Shutdown(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = shuttingDown
	return nil
}

// Exit implements exit: the process ends, with 0 when shutdown came before.
func (s *Server) Exit(context.Context) error {
	s.exit <- s.exitCode()
	return nil
}
