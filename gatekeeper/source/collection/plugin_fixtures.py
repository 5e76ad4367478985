"""Fixtures that pytest and common plugins define: none has parameters but the few of ``PARAMETRIZED``."""

from __future__ import annotations

from gatekeeper._tuples import NamedTuple

MODULE_SCOPE = 2


class Known(NamedTuple):
    """A plugin's fixture: what it asks for, its parameters (None for none), its scope as a rank."""

    requests: tuple[str, ...] = ()
    params: tuple[str, ...] | None = None
    rank: int = 0


_PYTEST = """
cache capfd capfdbinary caplog capsys capsysbinary capteesys doctest_namespace monkeypatch pytestconfig pytester
record_property record_testsuite_property record_xml_attribute recwarn request subtests testdir tmp_path
tmp_path_factory tmpdir tmpdir_factory linecomp LineMatcher
"""
_PLUGINS = """
mocker class_mocker module_mocker package_mocker session_mocker
benchmark benchmark_weave
event_loop event_loop_policy unused_tcp_port unused_udp_port unused_tcp_port_factory unused_udp_port_factory
free_tcp_port free_udp_port free_tcp_port_factory free_udp_port_factory
httpbin httpbin_secure httpbin_ca_bundle class_based_httpbin class_based_httpbin_secure
cov no_cover worker_id testrun_uid
httpserver make_httpserver httpserver_listen_address httpserver_ssl_context
requests_mock respx_mock responses aioresponses httpx_mock
admin_client admin_user async_client async_rf client db django_assert_max_num_queries django_assert_num_queries
django_capture_on_commit_callbacks django_db_blocker django_db_setup django_db_reset_sequences django_mail_dnsname
django_user_model django_username_field live_server mailoutbox rf settings transactional_db
nursery autojump_clock mock_clock
qtbot qtlog qtmodeltester qapp
snapshot data_regression dataframe_regression file_regression image_regression num_regression ndarrays_regression
datadir original_datadir shared_datadir lazy_datadir lazy_shared_datadir
freezer time_machine socket_enabled socket_disabled fs fs_class fs_module fs_session
pyfakefs script_runner celery_app celery_worker celery_session_app celery_session_worker celery_config
postgresql postgresql_proc redisdb redis_proc mysql mysql_proc
faker xprocess localserver httpsserver smtpserver betamax_session vcr vcr_config vcr_cassette_name
"""

KNOWN = {name: Known() for name in (_PYTEST + _PLUGINS).split()}
"""Neither parametrized themselves nor through what they ask for."""

PARAMETRIZED = {
    "anyio": {
        "anyio_backend": Known((), ("asyncio", "trio"), MODULE_SCOPE),
        "anyio_backend_name": Known(("anyio_backend",)),
        "anyio_backend_options": Known(("anyio_backend",)),
    },
    "pytest-httpbin": {"httpbin_both": Known(("httpbin", "httpbin_secure"), ("http", "https"))},
}
"""By distribution: fixtures with parameters, and those that ask for one of them."""
