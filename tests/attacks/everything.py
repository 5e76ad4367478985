"""Every row there is, in one list."""

from __future__ import annotations

from tests.attacks import (
    controls,
    recipes_ci,
    recipes_git,
    recipes_history,
    recipes_names,
    recipes_objects,
    recipes_refs,
    recipes_runner,
)

ATTACKS = (
    *recipes_git.ATTACKS,
    *recipes_runner.ATTACKS,
    *recipes_ci.ATTACKS,
    *recipes_names.ATTACKS,
    *recipes_history.ATTACKS,
    *recipes_refs.ATTACKS,
    *recipes_objects.ATTACKS,
)
CONTROLS = controls.CONTROLS
