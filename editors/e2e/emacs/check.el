;;; One session of an author with Eglot; any error ends Emacs with another code than 0.  -*- lexical-binding: t -*-
(require 'pallas-lsp)
(require 'cl-lib)

(defun await (what see)
  "Wait until SEE returns something, which is returned."
  (let ((end (+ (float-time) 120)) got)
    (while (and (not (setq got (funcall see))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (unless got (error "Not seen: %s" what))
    (message "ok: %s" what)
    got))

(defun check (what holds)
  (unless holds (error "Not so: %s" what))
  (message "ok: %s" what))

(defun findings ()
  (flymake-start)
  (seq-filter (lambda (d) (string-match-p "sc-get-noncore-memory" (flymake-diagnostic-text d))) (flymake-diagnostics)))

(defun go (text)
  "To the first place where TEXT stands."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(setq eglot-sync-connect 120
      eglot-autoreconnect t
      eglot-confirm-server-edits nil
      make-backup-files nil
      create-lockfiles nil
      flymake-no-changes-timeout 0.1)
(message "GNU Emacs %s" emacs-version)
(find-file "kernel.py")
(python-mode)
(apply #'eglot (eglot--guess-contact))
(await "the server" #'eglot-managed-p)

(let* ((d (car (await "the finding" #'findings)))
       (text (flymake-diagnostic-text d)))
  (check "its place" (equal (buffer-substring (flymake-diagnostic-beg d) (flymake-diagnostic-end d)) "x_hbm[...]"))
  (check "its message" (string-search "`x_hbm` is in HBM; a SparseCore vector subcore can load only from" text))
  (check "what it comes of" (string-search "line 12: operands of pl.kernel on a VectorSubcoreMesh stay in HBM" text)))

(defun hover (text)
  "Wait for TEXT from ElDoc."
  (let (doc)
    (eglot-hover-eldoc-function (lambda (got &rest _) (when got (setq doc (format "%s" got)))))
    (await (concat "hover: " text) (lambda () (and doc (string-search text doc))))))
(go "x_hbm[...]")
(hover "sc-get-noncore-memory")
(pallas-lsp-explain)
(with-current-buffer "*pallas-lsp*"
  (check "the page of the finding" (string-search "## The way out" (buffer-string))))
(go "x_hbm, o_hbm")
(hover "Ref in HBM")
(let ((x (car (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))))
  (check "the related place reached" (= (xref-location-line (xref-item-location x)) 12)))

(eglot--update-hints-1 (point-min) (point-max))
(await "inlay hints"
       (lambda ()
         (seq-some (lambda (o) (seq-some (lambda (p) (string-search ": HBM f32[16]" (or (overlay-get o p) ""))) '(before-string after-string)))
                   (overlays-in (point-min) (point-max)))))

(setq-default eglot-workspace-configuration '(:pallas-lsp (:ignore ["sc-get-noncore-memory"])))
(eglot-signal-didChangeConfiguration (eglot-current-server))
(await "a rule ignored" (lambda () (null (findings))))
(setq-default eglot-workspace-configuration nil)
(eglot-signal-didChangeConfiguration (eglot-current-server))
(await "and reported again" #'findings)

(let ((old (eglot-current-server)))
  (signal-process (jsonrpc--process old) 'SIGKILL)
  (await "another server" (lambda () (and (eglot-current-server) (not (eq old (eglot-current-server))))))
  (await "found again" #'findings))

(go "x_hbm[...]")
(let* ((actions (append (eglot-code-actions (point) (+ 5 (point)) "quickfix") nil))
       (title "with async_copy")
       (chosen (seq-find (lambda (a) (string-search title (plist-get a :title))) actions)))
  (check "the action" chosen)
  (eglot-execute (eglot-current-server) chosen))
(await "staging applied" (lambda () (string-search "pltpu.async_copy(x_hbm, x_hbm_vmem, x_hbm_sem).wait()" (buffer-string))))
;; Eglot sends changes from an idle timer, which batch mode never runs; saving sends them too.
(save-buffer)
(await "nothing found any more" (lambda () (null (findings))))
(eglot-shutdown (eglot-current-server))
