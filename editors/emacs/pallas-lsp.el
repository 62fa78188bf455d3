;;; pallas-lsp.el --- Eglot and pallas-lsp, for JAX Pallas kernels  -*- lexical-binding: t -*-

;; For Emacs 29 and later, where Eglot is built in.  Put this file on the `load-path', the program `pallas-lsp' on the PATH, and in init.el:
;;
;;     (require 'pallas-lsp)
;;     (add-hook 'python-base-mode-hook #'eglot-ensure)
;;
;; Eglot talks to one server for each buffer.  README.md says how to have another beside it.

;;; Code:

(require 'eglot)
(require 'flymake)

(defgroup pallas-lsp nil
  "Mistakes in JAX Pallas kernels."
  :group 'eglot)

(defcustom pallas-lsp-command '("pallas-lsp" "serve")
  "The program of the server and its arguments."
  :type '(repeat string))

(add-to-list 'eglot-server-programs
             (cons '(python-mode python-ts-mode) (lambda (&rest _) pallas-lsp-command)))

(defun pallas-lsp--finding ()
  "The name of the rule of the finding at point, else of another in this line."
  (let ((code (lambda (diagnostic)
                (plist-get (alist-get 'eglot-lsp-diag (flymake-diagnostic-data diagnostic)) :code))))
    (or (seq-some code (flymake-diagnostics (point)))
        (seq-some code (flymake-diagnostics (line-beginning-position) (line-end-position))))))

(defun pallas-lsp-explain ()
  "Show the page of the finding at point."
  (interactive)
  (let* ((name (or (pallas-lsp--finding) (user-error "No finding in this line")))
         (page (jsonrpc-request (eglot--current-server-or-lose) :pallas-lsp/explain (list :name name))))
    (with-help-window "*pallas-lsp*"
      (princ (plist-get page :markdown)))))

(provide 'pallas-lsp)
;;; pallas-lsp.el ends here
